import { z } from 'zod'

/** The consent that a model's command needs before it runs, from none that would count to the widest. */
export const ApprovalMode = z.enum(['refuse', 'ask-all', 'guarded', 'trusted-session'])
export type ApprovalMode = z.infer<typeof ApprovalMode>

interface ModeWords {
  name: string
  /** One sentence on what it does. */
  about: string
}

/** The modes as people know them; the names in the log and in requests stay as they are. */
export const modeWords: Readonly<Record<ApprovalMode, ModeWords>> = {
  'ask-all': { name: 'Ask always', about: 'Every command of the model waits for your yes.' },
  guarded: {
    name: 'Ask for changes',
    about:
      'What only reads runs, and so do new empty files and, in a trusted folder, the tests and builds it declares, git add and git commit; the rest asks.',
  },
  'trusted-session': {
    name: 'Trust this session',
    about:
      'In a trusted folder its files are written unasked, too; secrets, the network, other rights, other folders, settings, code that nobody can read and what is hard to undo still ask.',
  },
  refuse: { name: 'Never run', about: 'No command of the model runs, and it is told so.' },
}

/** A mode in a line of text: «Ask for changes (guarded)». */
export function modeName(mode: ApprovalMode): string {
  return `${modeWords[mode].name} (${mode})`
}
