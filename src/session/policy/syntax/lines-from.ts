import type { CommandNode, Redirection } from 'unbash'

/** The words of the part whose lines come in; some only pass them on. */
export function linesFrom(commands: readonly CommandNode[], index: number): readonly string[] {
  const words = wordsOf(commands[index])
  const [name = '', ...rest] = words
  const passesOn =
    /^(?:sort|uniq|head|tail)$/.test(name) &&
    rest.every((word) => /^-?\w+$/.test(word) && /^-|^\d+$/.test(word))
  return (passesOn || picksLines(name, rest)) && index > 0 ? linesFrom(commands, index - 1) : words
}

/** A search through what comes in leaves some of the lines out; unless it looks for those that nobody should read. */
function picksLines(name: string, words: readonly string[]): boolean {
  const patterns = words.filter((word) => !/^-[vEiFw]+$/.test(word))
  const [pattern = ''] = patterns
  const isSecret = /env|key|pem|secret|cred|pass|token|^\^\\?\./i.test(pattern)
  return name === 'grep' && patterns.length === 1 && !pattern.startsWith('-') && !isSecret
}

function wordsOf(part: CommandNode | undefined): readonly string[] {
  if (part?.type !== 'Command') return []
  return [part.name, ...part.args].flatMap((word) => (word?.type === 'Word' ? [word.value] : []))
}

/** The one text that is fed to a command, if nothing in it is expanded. */
export function textFed(redirects: readonly Redirection[]): string | undefined {
  const inputs = redirects.filter((each) => each.type !== 'Redirect' || each.operator === '<')
  const [input] = inputs
  return inputs.length === 1 &&
    input?.type === 'HereDoc' &&
    input.delimiter?.quoted === true &&
    input.operator === '<<'
    ? input.body.text
    : undefined
}
