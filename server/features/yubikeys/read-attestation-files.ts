import { listTrustedMakers } from '#server/db/yubikeys/maker-certificates.ts'
import type { OfficeId } from '#server/domain/ids.ts'
import { isProblem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'
import type { AttestationReading } from '#server/domain/yubikeys/attestation-reading.ts'
import type { System } from '#server/system.ts'

/** Reads and judges an attestation in a worker, by the makers that the office trusts. Files that take too much to read count as unreadable. */
export async function readAttestationFiles(
  { db, pdf }: Pick<System, 'db' | 'pdf'>,
  officeId: OfficeId,
  files: readonly Uint8Array[],
  at: Instant,
): Promise<AttestationReading> {
  const makers = await listTrustedMakers(db, officeId)
  try {
    const reading = await pdf.readAttestation(files, makers, at)
    // It may be a private key.
    if (reading.kind === 'refused') for (const file of files) file.fill(0)
    return reading
  } catch (error) {
    if (!isProblem(error, 'pdf-too-complex')) throw error
    return { kind: 'refused', fault: 'unreadable' }
  }
}
