import type { Facts, LiveShell } from '../../src/session/policy/facts.ts'
import type { LiveState } from '../../src/session/policy/live/live-state.ts'

/** Every name was asked for. */
class AllNames extends Set<string> {
  override has(): boolean {
    return true
  }
}

/** Every program is where the system has its own. */
class SystemPrograms extends Map<string, string> {
  override get(name: string): string {
    return `/usr/bin/${name}`
  }
}

/** A shell without start files, in which every program is there. */
export function plainShell(changes: Partial<LiveState> = {}): LiveShell {
  const baseline: LiveState = {
    shell: 'bash',
    cwd: '/work',
    path: [{ folder: '/usr/bin', physical: '/usr/bin' }],
    options: new Set(['expand_aliases', 'interactive_comments', 'braceexpand', 'hashall']),
    aliases: new Map(),
    globalAliases: new Map(),
    suffixAliases: new Map(),
    functions: new Set(),
    exportedFunctions: new Set(),
    bodies: new Map(),
    hashes: new Map(),
    builtins: new Set('cd echo printf test [ : true false pwd type command'.split(' ')),
    disabled: new Set(),
    traps: { text: '', names: new Set() },
    hooks: new Map(),
    variables: new Map(),
    asked: new AllNames(),
    found: new SystemPrograms(),
  }
  return { baseline, state: { ...baseline, ...changes } }
}

/** A trusted folder in which a model proposes; nothing is known of its files. */
export const plainFacts: Facts = {
  approval: 'guarded',
  workspace: '/project',
  cwd: '/project',
  shell: 'bash',
  home: '/home/me',
  isTrusted: true,
  live: plainShell(),
  files: new Map(),
}
