import type { AppendedFile } from '#server/adapters/appended-file.ts'
import { systemClock } from '#server/adapters/clock.ts'
import { openFile } from '#server/adapters/file-source.ts'
import { certificatesIn } from '#server/adapters/pdf-work/certificates.ts'
import type { ByteSource } from '#server/domain/bytes.ts'
import { completeIncrement } from '#server/domain/signing/complete-increment.ts'
import { addValidationData, prepareDocumentStamp } from '#server/domain/signing/long-term.ts'

import { isAtLeast } from '#server/domain/verification/fault-of-archived.ts'
import { type VerificationPolicy, verifyFile } from '#server/domain/verification/verify-file.ts'
import { askAuthorities } from './ask-authorities.ts'
import { type LevelOrder, stampOf } from './level-options.ts'

const TOKEN_BYTES = 16_384

/**
 * Appends what the level requires beyond the signature and its timestamp.
 *
 * @returns why the file must be rejected, es-MX; undefined if it reaches the level
 * @throws {Refused}
 */
export async function addLongTerm(
  staged: AppendedFile,
  { level, authority }: LevelOrder,
  fieldName: string,
  policy: VerificationPolicy,
): Promise<string | undefined> {
  if (!authority || level === 'B-B') return undefined
  if (level !== 'B-T') {
    const found = reading(staged, (source) => certificatesIn(source, undefined))
    const { ocsp, crls } = await askAuthorities().answersAbout(found, policy)
    const known = [...policy.candidates, ...policy.anchors.map(({ certificate }) => certificate)]
    const material = {
      certificates: [...found, ...known.map(({ der }) => der)],
      ocsp: ocsp.map(({ der }) => der),
      crls: crls.map(({ der }) => der),
    }
    const now = systemClock.now()
    await staged.append(reading(staged, (source) => addValidationData(source, material, now)))
  }
  if (level === 'B-LTA') {
    const prepared = reading(staged, (source) => prepareDocumentStamp(source, TOKEN_BYTES))
    const token = await stampOf(prepared.digest, authority, policy)
    await staged.append(completeIncrement(prepared, token))
  }
  const at = systemClock.now()
  const report = reading(staged, (source) => verifyFile(source, '', { ...policy, at }))
  return isAtLeast(report, [fieldName], level)
    ? undefined
    : `No se alcanzó ${level}: ninguna autoridad respondió sobre todos los certificados. No se firmó nada.`
}

function reading<T>({ temporary }: AppendedFile, read: (source: ByteSource) => T): T {
  const file = openFile(temporary)
  try {
    return read(file)
  } finally {
    file.close()
  }
}
