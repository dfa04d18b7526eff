import { type Command, Option } from 'commander'
import type { Io } from './io.ts'

/**
 * Hands the chosen command its io and keeps the exit code; one that gives none went well. Commands are loaded
 * only when chosen.
 */
export type Act = (work: (io: Io) => Promise<number | void>) => Promise<void>

export interface Json {
  json?: boolean
}

export const json = () => new Option('--json', 'print JSON')

/** A command whose answer can be had as JSON. */
export const answering = (parent: Command, name: string, about: string) =>
  parent.command(name).description(about).addOption(json())
