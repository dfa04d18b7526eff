/**
 * The last net: every chain of promises has an owner that tells what went wrong; one that was forgotten must not end
 * the shells' server with all that is under way.
 */
export function catchRejections(diagnose: (message: string, error: unknown) => void): () => void {
  const onRejection = (error: unknown) => diagnose('a rejection that nobody handles', error)
  process.on('unhandledRejection', onRejection)
  return () => process.off('unhandledRejection', onRejection)
}
