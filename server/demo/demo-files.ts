import { createPrivateKey, createPublicKey } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, days, type Instant } from '#server/domain/time.ts'
import { readCertificate } from '#server/domain/x509/certificate.ts'
import {
  createAuthority,
  type DemoAuthority,
  type EfirmaRequest,
  mintEfirma,
} from './certification-authority.ts'
import type { ConstanciaProvider } from './constancia-provider.ts'
import {
  type DemoPerson,
  type EfirmaHolder,
  FORMER_EFIRMA,
  GUEST,
  INVOICE_SEAL,
  PEOPLE,
  REVOKED_EFIRMA,
} from './people.ts'
import type { AuthorityServices } from './serve-authority.ts'
import {
  type DemoService,
  mintConstanciaProvider,
  mintConstanciaRoot,
  mintOcspResponder,
  mintTimestampAuthority,
} from './service-certificates.ts'

/** Where the two files of an e.firma lie, and the password of its key. */
type EfirmaFiles = { cer: string; key: string; keyPassword: string }

export type DemoFiles = {
  /** By slug of the person, the external signer too. */
  efirmas: ReadonlyMap<string, EfirmaFiles>
  /** For trying what must be refused. */
  refused: readonly (EfirmaFiles & { kind: 'expired' | 'csd' | 'revoked' })[]
  services: AuthorityServices
}

/** A person whose e.firma ends then. */
export type OtherHolder = { person: EfirmaHolder; notAfter: Instant }

/** Older than every e.firma that it issues, also the one that has expired. */
const AUTHORITY_AGE = days(6 * 365)
const YEAR = days(365)
/** Of an e.firma. */
const LIFE = days(4 * 365)

/**
 * Makes the demonstration authority and an e.firma for each demo person, and for others, unless they are there: everything
 * in `folder` stays as it is over restarts, so that what was signed can be verified again.
 */
export async function makeDemoFiles(
  folder: string,
  now: Instant,
  others: readonly OtherHolder[] = [],
): Promise<DemoFiles> {
  const authority = await openAuthority(path.join(folder, 'authority'), now)
  const mint = (name: string, request: EfirmaRequest) =>
    ensureEfirma(path.join(folder, name), authority, request)

  const current = { kind: 'efirma-natural', notBefore: before(now, YEAR) } as const
  const holders = [...PEOPLE, GUEST].map((person) => ({ ...requestOf(person), ...current, person }))
  const ending = others.map(({ person, notAfter }) => ({
    ...{ ...requestOf(person), ...current, person, notAfter },
    notBefore: before(notAfter, LIFE),
  }))
  // At once: the keys are made by other threads.
  const minted = [...holders, ...ending].map(
    async ({ person: { slug }, ...request }) => [slug, await mint(slug, request)] as const,
  )
  const efirmas = new Map<string, EfirmaFiles>(await Promise.all(minted))

  const [expired, csd, revoked] = await Promise.all(
    refusedRequests(now).map(([slug, request]) => mint(slug, request)),
  )
  if (!expired || !csd || !revoked) throw new Error('three kinds of e.firma are refused')
  return {
    efirmas,
    refused: [
      { kind: 'expired', ...expired },
      { kind: 'csd', ...csd },
      { kind: 'revoked', ...revoked },
    ],
    services: await openServices(folder, authority, revoked, current.notBefore),
  }
}

/** What the first person must not sign with: expired, no e.firma, and revoked. */
function refusedRequests(now: Instant): (readonly [string, EfirmaRequest])[] {
  const holder = requestOf(PEOPLE[0] as DemoPerson)
  const current = { kind: 'efirma-natural', notBefore: before(now, YEAR) } as const
  const seal = { kind: 'csd', serial: INVOICE_SEAL.serial, branch: 'Notaria 12' } as const
  const { slug, serial, keyPassword: password } = REVOKED_EFIRMA
  return [
    [
      FORMER_EFIRMA.slug,
      {
        ...{ ...holder, ...current, serial: FORMER_EFIRMA.serial },
        ...{ notBefore: before(now, days(5 * 365)), notAfter: before(now, YEAR) },
      },
    ],
    [INVOICE_SEAL.slug, { ...holder, ...current, ...seal }],
    [slug, { ...holder, ...current, serial, password }],
  ]
}

async function openServices(
  folder: string,
  authority: DemoAuthority,
  revoked: EfirmaFiles,
  notBefore: Instant,
): Promise<AuthorityServices> {
  const place = path.join(folder, 'services')
  mkdirSync(place, { recursive: true })
  const open = (name: string, make: typeof mintOcspResponder) =>
    ensureService(path.join(place, name), () => make(authority, notBefore))
  const { serial, notBefore: began } = readCertificate(new Uint8Array(readFileSync(revoked.cer)))
  const revocation = { at: after(began, HALF_A_YEAR), reason: KEY_COMPROMISE }
  return {
    register: {
      issuer: authority.issuing,
      responder: await open('ocsp', mintOcspResponder),
      revoked: new Map([[serial, revocation]]),
    },
    timestamps: await open('timestamps', mintTimestampAuthority),
    constancias: await openConstancias(folder, notBefore),
  }
}

/** Its root stands in a folder of its own: nothing but constancias is believed under it. */
async function openConstancias(folder: string, notBefore: Instant): Promise<ConstanciaProvider> {
  const place = path.join(folder, 'constancias')
  mkdirSync(place, { recursive: true })
  const root = await ensureService(path.join(place, 'root'), () => mintConstanciaRoot(notBefore))
  const provider = await ensureService(path.join(folder, 'services', 'constancias'), () =>
    mintConstanciaProvider(root, notBefore),
  )
  return { ...provider, root: root.certificate }
}

const HALF_A_YEAR = days(180)
/** @see RFC 5280, 5.3.1 */
const KEY_COMPROMISE = 1

async function ensureService(
  place: string,
  make: () => Promise<DemoService>,
): Promise<DemoService> {
  const files = { cer: `${place}.cer`, key: `${place}-key.txt` }
  if (!existsSync(files.cer)) {
    const made = await make()
    writeWhole(files.key, exported(made.key), 0o600)
    // Last: with it the service is whole.
    writeWhole(files.cer, made.certificate.der)
  }
  return {
    certificate: readCertificate(new Uint8Array(readFileSync(files.cer))),
    key: createPrivateKey(readFileSync(files.key)),
  }
}

function requestOf(person: EfirmaHolder): Omit<EfirmaRequest, 'kind' | 'notBefore'> {
  return {
    name: `${person.firstName} ${person.lastName}`.toLocaleUpperCase('es-MX'),
    rfc: person.rfc,
    curp: person.curp,
    email: person.email,
    password: person.keyPassword,
    serial: person.serial,
  }
}

async function ensureEfirma(
  place: string,
  authority: DemoAuthority,
  request: EfirmaRequest,
): Promise<EfirmaFiles> {
  const files = { cer: `${place}.cer`, key: `${place}.key`, keyPassword: request.password }
  if (existsSync(files.cer) && existsSync(files.key)) return files
  const efirma = await mintEfirma(authority, request)
  // The key first: if the certificate exists, so does its key.
  writeWhole(files.key, efirma.key, 0o600)
  writeWhole(files.cer, efirma.cer)
  return files
}

async function openAuthority(folder: string, now: Instant): Promise<DemoAuthority> {
  mkdirSync(folder, { recursive: true })
  const file = (name: string) => path.join(folder, name)
  if (!existsSync(file('issuing.cer'))) {
    const made = await createAuthority({ now: after(now, -AUTHORITY_AGE as typeof YEAR) })
    writeWhole(file('root-key.txt'), exported(made.rootKey.privateKey), 0o600)
    writeWhole(file('issuing-key.txt'), exported(made.issuingKey.privateKey), 0o600)
    writeWhole(file('root.cer'), made.root.der)
    // Last: with it the authority is whole.
    writeWhole(file('issuing.cer'), made.issuing.der)
  }
  return {
    root: readCertificate(new Uint8Array(readFileSync(file('root.cer')))),
    issuing: readCertificate(new Uint8Array(readFileSync(file('issuing.cer')))),
    rootKey: readKeyPair(file('root-key.txt')),
    issuingKey: readKeyPair(file('issuing-key.txt')),
  }
}

function exported(key: ReturnType<typeof createPrivateKey>): Uint8Array {
  return new TextEncoder().encode(key.export({ type: 'pkcs8', format: 'pem' }).toString())
}

function readKeyPair(file: string) {
  const privateKey = createPrivateKey(readFileSync(file))
  return { privateKey, publicKey: createPublicKey(privateKey) }
}

function writeWhole(file: string, bytes: Uint8Array, mode = 0o644): void {
  const temporary = `${file}.tmp`
  writeFileSync(temporary, bytes, { mode })
  renameSync(temporary, file)
}
