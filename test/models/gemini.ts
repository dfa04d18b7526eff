import { createGeminiModel } from '../../src/server/model/gemini/request.ts'
import { rawValue } from '../../src/server/model/gemini/raw-value.ts'
import { setupOf } from '../../src/server/model/setup.ts'
import { replayedContent } from './gemini-script.ts'
import { key, startGeminiServer } from './gemini-server.ts'
import type { Provider } from './provider.ts'

const name = 'gemini-3-pro-preview'

export const gemini: Provider = {
  name: 'gemini',
  dialects: ['tags', 'tools'],
  start: startGeminiServer,
  model: ({ baseUrl, dialect }) =>
    createGeminiModel({
      setup: setupOf({ model: `gemini/${name}`, adapter: 'gemini', dialect }),
      name,
      who: 'Gemini',
      baseUrl,
      apiKey: key,
    }),
  items(body) {
    const { contents, ...head } = JSON.parse(body) as { contents: readonly unknown[] }
    const raw = (...path: (string | number)[]) => rawValue(body, path) ?? ''
    return [
      ...Object.keys(head).map((field) => `{"${field}":${raw(field)}}`),
      ...contents.map((_, index) => raw('contents', index)),
    ]
  },
  replayed: replayedContent,
}
