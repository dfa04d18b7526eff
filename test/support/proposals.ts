import type { ScriptedModel } from './scripted-model.ts'
import type { TestSession } from './session.ts'

/** Lets the model propose one command a turn. */
export function createProposals(model: ScriptedModel, session: TestSession) {
  let turns = 0
  return {
    /** The question that a command of the model's asks, or null when it ran unasked. */
    async propose(command: string) {
      const before = session.all('elicitation_request').length
      model.hush()
      model.say(`<shell>${command}</shell>`, 'Done.')
      await session.send('go')
      turns += 1
      const ended = session.until('agent_end', turns).then(() => null)
      return Promise.race([ended, session.until('elicitation_request', before + 1)])
    },
    /** The turn of the last one is over. */
    done: () => session.until('agent_end', turns),
  }
}
