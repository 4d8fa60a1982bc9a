import { fromHex } from '#server/domain/bytes.ts'
import type { Sha256 } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'
import type { ConstanciaReport } from '#server/domain/verification/report.ts'
import {
  certificatesInConstancia,
  judgeConstancia,
} from '#server/domain/verification/time/judge-constancia.ts'
import type { System } from '#server/system.ts'

/**
 * Judges a constancia against today's trusted authorities, which are asked about revocation.
 *
 * @param answer covers the file: see `readAnswer`
 */
export async function judgeKeptAnswer(
  { trust, revocation }: Pick<System, 'trust' | 'revocation'>,
  answer: Uint8Array,
  sha256: Sha256,
  now: Instant,
): Promise<ConstanciaReport> {
  const policy = await trust.policy(now)
  const evidence = await revocation.answersAbout(certificatesInConstancia(answer), policy)
  return judgeConstancia(answer, fromHex(sha256), { ...policy, evidence })
}
