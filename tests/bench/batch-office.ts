import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { openTrustStore } from '#server/adapters/trust-store.ts'
import { compose } from '#server/compose.ts'
import { readConfig } from '#server/config.ts'
import { listOffices } from '#server/db/people/offices.ts'
import { listTrusted, versionOfTrust } from '#server/db/trust/authorities.ts'
import { createAuthority, type Efirma, mintEfirma } from '#server/demo/certification-authority.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import { openPrivateKey, signWith } from '#server/domain/pkcs/private-key.ts'
import { after, days, instantOf } from '#server/domain/time.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import { uploadDocument } from '#server/features/documents/upload-document.ts'
import { completeSignature } from '#server/features/signatures/complete-signature.ts'
import { prepareSignature } from '#server/features/signatures/prepare-signature.ts'
import {
  CreateSigningSession,
  createSigningSession,
} from '#server/features/signing-sessions/create-signing-session.ts'
import { openSigningSession } from '#server/features/signing-sessions/open-signing-session.ts'
import type { System } from '#server/system.ts'
import { asPerson, storedOffice, storedUser } from '#tests/support/builders.ts'

/** A notary with an open key, in an office whose whole system runs in this process. */
export type BatchOffice = {
  efirma: Efirma
  /** The authority that issued it. */
  issuing: Certificate
  upload(title: string, content: Uint8Array): Promise<DocumentId>
  /** A session of these documents that waits for the notary alone. */
  openSession(documentIds: readonly DocumentId[]): Promise<void>
  /** Both halves of the signature on a document of an open session. */
  sign(documentId: DocumentId): Promise<void>
  close(): Promise<void>
}

const RFC = 'MULA800101AB1'
const PASSWORD = 'clave-de-medición'

/**
 * @param folder for the database and the files; may hold other offices
 * @param environment of the configuration
 */
export async function openBatchOffice(
  folder: string,
  environment: Record<string, string> = {},
): Promise<BatchOffice> {
  const composed = await compose(
    readConfig('start', { DATA_DIR: folder, LOG_LEVEL: 'silent', ...environment }),
  )
  const { efirma, issuing, trust } = await makeEfirma(path.join(folder, 'trust'), composed.system)
  const system: System = { ...composed.system, trust }
  const at = system.clock.now()
  const others = await listOffices(system.db)
  const office = await storedOffice(system.db, {
    ...{ number: 77 + others.length, timestampPolicy: 'none' },
  })
  const user = await storedUser(system.db, office, ['NOTARY'], {
    capacity: 'titular',
    rfc: RFC,
    firstName: 'Ana María',
    lastName: 'Muñoz López',
  })
  const notary = asPerson(user, { signedInAt: at, provenAt: at })
  const key = await openPrivateKey(efirma.key, PASSWORD)
  if (key.kind !== 'opened') throw new Error(key.kind)

  return {
    efirma,
    issuing,
    async upload(title, content) {
      const input = {
        kind: 'power-of-attorney',
        fileName: 'poder.pdf',
        content: [content],
      } as const
      const named = { ...input, title: title as Parameters<typeof uploadDocument>[2]['title'] }
      return (await uploadDocument(system, notary, named)).id
    },
    async openSession(documentIds) {
      const input = CreateSigningSession.parse({
        title: 'Lote de medición',
        message: null,
        deadline: null,
        documentIds,
        signers: [{ kind: 'user', userId: user.id, character: null, step: 1 }],
      })
      const { id } = await createSigningSession(system, notary, input)
      await openSigningSession(system, notary, { signingSessionId: id })
    },
    async sign(documentId) {
      // The first version is the upload, the second adds the signature sheet.
      const input = { documentId, version: 2, certificate: efirma.cer }
      const prepared = await prepareSignature(system, notary, input)
      if (prepared.kind === 'refused') throw new Error(prepared.sentence)
      const signature = await signWith(key.opened, prepared.toBeSigned)
      await completeSignature(system, notary, { preparedId: prepared.id, signature })
    },
    close: composed.close,
  }
}

async function makeEfirma(folder: string, { db }: System) {
  const notBefore = after(instantOf(Date.now()), days(-1))
  const authority = await createAuthority({ now: notBefore })
  const efirma = await mintEfirma(authority, {
    kind: 'efirma-natural',
    name: 'ANA MARÍA MUÑOZ LÓPEZ',
    rfc: RFC,
    curp: 'MULA800101MDFXPN09',
    password: PASSWORD,
    serial: '30001000000700000903',
    notBefore,
  })
  mkdirSync(folder, { recursive: true })
  const { root, issuing } = authority
  writeFileSync(path.join(folder, 'root.cer'), root.der)
  writeFileSync(path.join(folder, 'issuing.cer'), issuing.der)
  const label = { label: 'Medición', forTesting: true, revocation: 'when-available' } as const
  const trust = openTrustStore({
    folders: [{ folder, ...label }],
    decisions: {
      version: (scope) => versionOfTrust(db, scope),
      list: (scope) => listTrusted(db, scope),
    },
    isDemo: false,
  })
  return { efirma, issuing, trust }
}
