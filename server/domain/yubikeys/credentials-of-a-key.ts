/** What a user could still sign in with if the credentials of a key ended. */
export type RemainingFactors = {
  /** Credentials that the key holds and that open the account. */
  ending: number
  /** An app, or a key that is accepted, beside them. */
  others: number
}

/**
 * What follows for the account of the holder when the credentials of a key end.
 *
 * - `nothing`: none is linked.
 * - `others-left`: they end, and another second factor stays.
 * - `set-up-again`: they end, and none stays; only the holder may decide that alone.
 * - `blocked`: they open the account no longer, but it still asks for a second factor, until a second administrator approved that
 *   it is set up anew. Otherwise one administrator alone could take away a user's second factors.
 */
export type EndOfCredentials = 'nothing' | 'others-left' | 'set-up-again' | 'blocked'

export function endOfCredentials(
  { ending, others }: RemainingFactors,
  by: 'holder' | 'administrator',
): EndOfCredentials {
  if (ending === 0) return 'nothing'
  if (others > 0) return 'others-left'
  return by === 'holder' ? 'set-up-again' : 'blocked'
}
