import { createKeyTokens } from '#server/adapters/pkcs11.ts'
import { environmentOf } from '#server/config.ts'
import { TokenError } from '#server/domain/signing/token-refusal.ts'
import { sentenceOfToken } from '#server/words/tokens.ts'
import {
  type Accept,
  acceptedPair,
  type OpenedKey,
  type Refusal,
  Refused,
  refuse,
} from './opened-key.ts'

export type TokenOrder = {
  /** The full path of the vendor's PKCS#11 module. */
  module: string
  /** The label of the token; any token if absent. */
  token: string | undefined
  /** The PIN. */
  password: string
}

/** Runs `use` with the key of an accepted certificate in a token, or returns why there is none. */
export async function withTokenKey<T>(
  { module, token, password }: TokenOrder,
  accept: Accept,
  use: (key: OpenedKey) => Promise<T>,
): Promise<T | Refusal> {
  try {
    return await createKeyTokens(module, environmentOf).withTokens(async (tokens) => {
      const [first, ...others] = await tokens.certificates(token)
      if (!first) throw new TokenError('no-certificate', 'no certificate in the tokens')
      const accepted = acceptedPair([first, ...others], accept)
      if (accepted.kind === 'refused') return accepted
      await tokens.login(accepted.pair, password)
      return use({
        kind: 'opened',
        certificate: accepted.pair.certificate,
        path: accepted.path,
        sign: (bytes) => inWords(tokens.sign(accepted.pair, bytes)),
      })
    })
  } catch (error) {
    if (error instanceof TokenError) return refuse(sentenceOfToken(error.code))
    throw error
  }
}

async function inWords<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof TokenError) throw new Refused(sentenceOfToken(error.code))
    throw error
  }
}
