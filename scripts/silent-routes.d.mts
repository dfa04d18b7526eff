import type { Plugin } from 'vite'

export const silentRoutes: Plugin
