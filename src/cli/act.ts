import { Option } from 'commander'
import type { Io } from './io.ts'

/** Hands the chosen command its io and keeps the exit code; commands are loaded only when chosen. */
export type Act = (work: (io: Io) => Promise<number>) => Promise<void>

export const json = () => new Option('--json', 'print JSON')
