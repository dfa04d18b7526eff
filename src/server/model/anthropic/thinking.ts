/**
 * Claude 4.6 and later decide themselves how much to think, and tell a summary of it if they are asked to; since 4.7 their
 * thoughts have no words otherwise. Earlier models want a budget instead, and refuse then a history in which a call
 * has no thought before it, as a person's own commands and the calls of other models have none: they are not asked.
 */
export function tellsThoughts(name: string): boolean {
  const [, major = '0', minor = '0'] = version.exec(name) ?? []
  return Number(major) > 4 || (Number(major) === 4 && Number(minor) > 5)
}

/** `claude-opus-4-6`, `claude-fable-5`, `anthropic.claude-sonnet-4-6-v1`; a number of eight digits is a date. */
const version = /(?:^|[./])claude-[a-z]+-(\d{1,2})(?:[.-](\d{1,2}))?(?!\d)/
