import { systemClock } from '#server/adapters/clock.ts'
import {
  type AnswerKey,
  createRevocationSource,
  type ProvenAnswer,
} from '#server/adapters/revocation-source.ts'
import { anyNetwork } from '#server/domain/outgoing-networks.ts'
import type { RevocationSource } from '#server/ports/revocation-source.ts'

/** Caches the answers while the command runs. */
export function askAuthorities(): RevocationSource {
  const answers = new Map<string, ProvenAnswer[]>()
  const nameOf = ({ certificate, issuer }: AnswerKey) => `${certificate} ${issuer}`
  return createRevocationSource({
    // Of the machine of the user, who chose the authorities.
    networks: anyNetwork,
    clock: systemClock,
    memory: {
      list: async (key) => answers.get(nameOf(key)) ?? [],
      async keep(key, answer) {
        answers.set(nameOf(key), [...(answers.get(nameOf(key)) ?? []), answer])
      },
    },
  })
}
