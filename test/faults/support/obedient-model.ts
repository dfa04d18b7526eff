import { type ScriptedModel, startScriptedModel } from '../../support/scripted-model.ts'

const order = 'say: '

/** What to say to the model to make it reply this. */
export function orderTo(reply: string): string {
  return order + reply
}

/** The same, to make it run a command. */
export function orderToRun(command: string): string {
  return orderTo(`<shell>${command}</shell>`)
}

/** A model for many sessions at once: says what a prompt orders, and has nothing to say otherwise. */
export function startObedientModel(): Promise<ScriptedModel> {
  return startScriptedModel({
    otherwise({ messages }) {
      const said = messages.at(-1)?.content ?? ''
      return said.startsWith(order) ? said.slice(order.length) : 'Noted.'
    },
  })
}
