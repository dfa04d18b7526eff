import { type Command, Option } from 'commander'
import { type Act, answering } from './act.ts'

/** `tandem models` and what changes which there are. */
export function addModels(program: Command, act: Act): void {
  const load = () => import('./commands/add-model.ts')
  const models = program.command('models').description('list the models, or add one with its key')
  answering(models, 'ls', 'list the models, and check that they answer').action((options) =>
    act(async (io) => (await import('./commands/models.ts')).modelsCommand(io, options)),
  )
  models
    .command('add <name>')
    .description('add a provider; its key is asked for, or read from stdin')
    .option('--url <address>', 'its address, up to /v1')
    .option('--model <model>', 'a model of it, where it does not list them')
    .addOption(
      new Option('--wire <protocol>', 'the protocol that it speaks').choices([
        'openai-chat',
        'openai-responses',
        'anthropic',
        'gemini',
      ]),
    )
    .option('--force', 'keep it though the test call fails')
    .action((name, options) => act(async (io) => (await load()).addModel(io, name, options)))
  models
    .command('test <name>')
    .description('make a test call')
    .action((name) => act(async (io) => (await load()).testModel(io, name)))
  models
    .command('rm <name>')
    .description('forget a provider that was added, and its key')
    .action((name) => act(async (io) => (await load()).removeModel(io, name)))
}
