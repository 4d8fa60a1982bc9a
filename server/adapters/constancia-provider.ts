import { sha256 } from '#server/domain/crypto/sha256.ts'
import type { OutgoingNetworks } from '#server/domain/outgoing-networks.ts'
import { type Duration, seconds } from '#server/domain/time.ts'
import { placeOfProviderPassword } from '#server/domain/timestamp/service-provider.ts'
import type { ConstanciaProviders } from '#server/ports/constancia-providers.ts'
import type { Vault } from '#server/ports/vault.ts'
import { isSilence, postForAnswer, reachServer } from './http-answer.ts'

type Options = {
  networks: OutgoingNetworks
  vault: Pick<Vault, 'open'>
  /** For one answer; less than half of `ATTEMPT_LEASE`, in which no other process asks. */
  patience?: Duration
}

const MOST_BYTES = 256 * 1024

/**
 * Asks for constancias by RFC 3161 over HTTP. Providers call what they send back by different names, so that its
 * type is not looked at.
 *
 * @see RFC 3161, 3.4; RFC 7617 for the password; draft-ietf-httpapi-idempotency-key-header
 */
export function createConstanciaProviders({
  networks,
  vault,
  patience = seconds(30),
}: Options): ConstanciaProviders {
  return {
    async ask(provider, request) {
      const { username, sealed } = provider
      const place = placeOfProviderPassword(provider)
      const password = sealed && Buffer.from(vault.open(sealed, place)).toString('utf8')
      const answer = await postForAnswer(provider.url, request, {
        type: 'application/timestamp-query',
        // The same request is never a second order.
        headers: { 'Idempotency-Key': `"${sha256(request)}"` },
        ...(username !== null && password && { login: { username, password } }),
        limit: MOST_BYTES,
        networks,
        signal: AbortSignal.timeout(patience),
      })
      if (answer.kind === 'answered') return answer
      const { kind, isSlow, reason } = answer
      return { kind, isSlow, isSilent: isSilence(answer), reason }
    },

    reach: ({ url }) =>
      reachServer(url, { limit: MOST_BYTES, networks, signal: AbortSignal.timeout(patience) }),
  }
}
