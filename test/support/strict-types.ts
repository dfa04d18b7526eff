/** How a careful user of the package would have it checked. */
export const strictTypes = {
  target: 'ES2022',
  module: 'NodeNext',
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  noEmit: true,
  types: [],
  lib: ['ES2023', 'DOM'],
}
