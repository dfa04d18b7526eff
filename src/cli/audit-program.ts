import { type Command, InvalidArgumentError } from 'commander'
import { parseTime } from '../base/parse-time.ts'
import { type Act, json } from './act.ts'

/** `tandem audit` and its flags. */
export function addAudit(program: Command, act: Act): void {
  program
    .command('audit')
    .description('list who proposed, answered and ran which command, and why it could')
    .option('--session <id>', 'only of this session')
    .option('--since <when>', 'a time ago (30m, 2h) or a date (2026-01-31)', moment)
    .option('--proposed', 'only what the model proposed')
    .option('--asked', 'only questions')
    .option('--answered', 'only answers')
    .option('--ran', 'only what ran')
    .option('--denied', 'only what was denied')
    .option('--skipped', 'only what did not come to run')
    .option('--revoked', 'only yeses that were taken back')
    .addOption(json())
    .option('--jsonl', 'print a JSON object a line')
    .action((options) =>
      act(async (io) => (await import('./commands/audit.ts')).auditCommand(io, options)),
    )
}

/** A time ago, or a date. */
function moment(text: string): number {
  const days = /^(\d{1,5})d$/.exec(text)?.[1]
  const ago = days === undefined ? parseTime(/[a-z]$/.test(text) ? text : '') : Number(days) * dayMs
  const at = ago === null ? Date.parse(/^\d{4}-\d\d-\d\d/.test(text) ? text : '') : Date.now() - ago
  if (!Number.isNaN(at)) return at
  throw new InvalidArgumentError('Give a time such as 30m, 2h or 7d, or a date such as 2026-01-31')
}

const dayMs = 24 * 3_600_000
