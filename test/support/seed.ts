/**
 * All that the tests draw at random begins here. CI takes the number from the commit, so that a commit which was
 * green stays green and the next one draws anew; every other run draws its own. `TANDEM_SEED` repeats a run.
 */
export const seed = Number(
  process.env['TANDEM_SEED'] ?? process.env['TANDEM_COMMIT_SEED'] ?? Date.now() % 1_000_000_000,
)
