import { PDFDocument } from '@cantoo/pdf-lib'
import { afterAll } from 'vitest'
import { createPdfWork } from '#server/adapters/pdf-work.ts'
import type { DialectName } from '#server/db/database.ts'
import type { Efirma } from '#server/demo/certification-authority.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import type { Office } from '#server/domain/identity/office.ts'
import type { Role } from '#server/domain/identity/role.ts'
import type { User } from '#server/domain/identity/user.ts'
import { openPrivateKey, signWith } from '#server/domain/pkcs/private-key.ts'
import { uploadDocument } from '#server/features/documents/upload-document.ts'
import {
  type CompletedSignature,
  completeSignature,
} from '#server/features/signatures/complete-signature.ts'
import { prepareSignature } from '#server/features/signatures/prepare-signature.ts'
import type { System } from '#server/system.ts'
import {
  TEST_PASSWORD,
  testAnchor,
  testAuthority,
  testEfirma,
} from '#tests/support/authorities/test-authority.ts'
import { asPerson, storedOffice, storedUser } from '#tests/support/builders.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

/**
 * The same tests on a system that really prepares, signs and verifies, over each database. It trusts the
 * test authority.
 */
export function onEachSigningSystem(
  name: string,
  tests: (system: () => TestSystem, dialect: DialectName) => void,
): void {
  const pdf = createPdfWork({ threads: 1 })
  afterAll(() => pdf.close())
  onEachSystem(name, tests, { pdf, trust: testTrust })
}

let anchor: Awaited<ReturnType<typeof testAnchor>> | undefined
let issuing: Awaited<ReturnType<typeof testAuthority>>['issuing'] | undefined

/** Minted on the first use of the test authority; ask `readyTrust` before. */
export const testTrust: System['trust'] = {
  async policy(at) {
    if (!anchor || !issuing) throw new Error('ask readyTrust first')
    return { anchors: [anchor], candidates: [issuing], at }
  },
  fingerprint: async () => sha256(anchor?.certificate.der ?? new Uint8Array()),
  builtIn: [],
}

export async function readyTrust(): Promise<void> {
  anchor = await testAnchor()
  issuing = (await testAuthority()).issuing
}

export type Scene = {
  office: Office
  user: User
  person: Person
  efirma: Efirma
  document: Document
}

/** A notary with an e.firma and a draft that waits for it. */
export async function aScene(
  system: TestSystem,
  options: {
    roles?: Role[]
    user?: Record<string, unknown>
    content?: Uint8Array
    office?: Record<string, unknown>
  } = {},
): Promise<Scene> {
  await readyTrust()
  const office = await storedOffice(system.db, options.office)
  const capacity = {
    capacity: 'titular',
    rfc: 'MULA800101AB1',
    firstName: 'Ana María',
    lastName: 'Muñoz López',
  }
  const user = await storedUser(system.db, office, options.roles ?? ['NOTARY'], {
    ...capacity,
    ...options.user,
  })
  const person = asPerson(user)
  const efirma = await testEfirma()
  const document = await aDraft(system, person, options.content)
  return { office, user, person, efirma, document }
}

export async function aDraft(
  system: System,
  person: Person,
  content?: Uint8Array,
  title = 'Poder notarial',
): Promise<Document> {
  return await uploadDocument(system, person, {
    title: title as Document['title'],
    kind: 'power-of-attorney',
    fileName: 'poder.pdf',
    content: [content ?? (await aPdf())],
  })
}

export async function aPdf(text = 'Poder que otorga'): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  document.addPage([612, 792]).drawText(text)
  return await document.save()
}

/** The signing step of the page, between the two halves. */
export async function signBytes(
  { key }: Pick<Efirma, 'key'>,
  bytes: Uint8Array,
  password = TEST_PASSWORD,
): Promise<Uint8Array> {
  const outcome = await openPrivateKey(key, password)
  if (outcome.kind !== 'opened') throw new Error(outcome.kind)
  return await signWith(outcome.opened, bytes)
}

/** Both halves, as the page asks for them. */
export async function signAs(
  system: System,
  person: Person,
  efirma: Pick<Efirma, 'cer' | 'key'>,
  document: Pick<Document, 'id' | 'version'>,
  password = TEST_PASSWORD,
): Promise<CompletedSignature> {
  const prepared = await prepareSignature(system, person, {
    documentId: document.id,
    version: document.version,
    certificate: efirma.cer,
  })
  if (prepared.kind === 'refused') throw new Error(prepared.sentence)
  const signature = await signBytes(efirma, prepared.toBeSigned, password)
  return await completeSignature(system, person, { preparedId: prepared.id, signature })
}
