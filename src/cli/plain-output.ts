import { createPipeOutput } from './pipe-output.ts'

/** What a program printed to the shared terminal, for a pipe or a file: no colours, its own line ends. */
export function createPlainOutput(): { write(piece: string): string; end(): string } {
  const output = createPipeOutput()
  return {
    write: (piece) => output.write(Buffer.from(piece)).toString('utf8'),
    end: () => output.end().toString('utf8'),
  }
}
