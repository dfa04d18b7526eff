/** A piece of an input, in UTF-16 units. */
export interface Range {
  from: number
  to: number
}
