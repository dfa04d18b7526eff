import { expect, test } from 'vitest'
import { z } from 'zod'
import { ConfigFile } from './config.ts'

test('[CONF1] the published schema of the configuration file is the one that is read', async () => {
  const schema = z.toJSONSchema(ConfigFile, { io: 'input' })
  const text = `${JSON.stringify({ ...schema, title: 'Tandem configuration' }, null, 2)}\n`
  await expect(text).toMatchFileSnapshot('../../config.schema.json')
})
