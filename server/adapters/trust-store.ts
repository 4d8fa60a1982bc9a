import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { allFromPem } from '#server/domain/asn1/pem.ts'
import {
  type ConstanciaIssuer,
  KNOWN_CONSTANCIA_ISSUERS,
} from '#server/domain/timestamp/constancia-issuer.ts'
import { anchorsFromCertificates } from '#server/domain/trust/anchors.ts'
import {
  type KnownAuthority,
  type TrustScope,
  trustIn,
} from '#server/domain/trust/known-authority.ts'
import type { TrustAnchor } from '#server/domain/trust/trust-anchor.ts'
import type {
  ConstanciaPolicy,
  VerificationPolicy,
} from '#server/domain/verification/verification-policy.ts'
import { type Certificate, readCertificate } from '#server/domain/x509/certificate.ts'
import type { TrustStore } from '#server/ports/trust-store.ts'

/** A folder of authorities and how much their word counts. */
export type TrustFolder = { folder: string } & Omit<TrustAnchor, 'certificate'>

/** The root of constancias that came with the installation, and who works under it. */
export type ConstanciaFolder = TrustFolder & { issuers: readonly ConstanciaIssuer[] }

/** What was decided about authorities, as it stands now. */
export type TrustDecisions = {
  /** Changes whenever the set of trusted authorities changes. */
  version(scope: TrustScope): Promise<string>
  list(scope: TrustScope): Promise<readonly KnownAuthority[]>
}

type Trust = { version: string; fingerprint: string; policy: Omit<VerificationPolicy, 'at'> }

/** Certificates of as many offices are kept in memory. */
const MOST_SCOPES = 50

/**
 * The authorities in the given folders, read once, and those that were decided about, asked anew each time: a
 * decision counts at once in every process. A folder that does not exist holds none.
 *
 * @throws {Error} naming the file that is no certificate: a trust decision is never guessed
 */
export function openTrustStore(options: {
  folders: readonly TrustFolder[]
  constancias?: ConstanciaFolder
  decisions: TrustDecisions
  isDemo: boolean
}): TrustStore {
  const { folders, decisions, isDemo } = options
  const ownConstancias = constanciasIn(options.constancias)
  const sorted = folders.map(({ folder, ...trust }) =>
    anchorsFromCertificates(readCertificates(folder), trust),
  )
  const builtIn = {
    anchors: sorted.flatMap(({ anchors }) => anchors),
    candidates: sorted.flatMap(({ candidates }) => candidates),
  }
  const known = new Map<TrustScope, Trust>()

  async function current(scope: TrustScope): Promise<Trust> {
    // Before the list: one that changes in between is read again the next time.
    const version = await decisions.version(scope)
    const kept = known.get(scope)
    if (kept?.version === version) return kept
    const trust = await read(scope, version)
    known.delete(scope)
    known.set(scope, trust)
    if (known.size > MOST_SCOPES) known.delete(known.keys().next().value!)
    return trust
  }

  async function read(scope: TrustScope, version: string): Promise<Trust> {
    const authorities = await decisions.list(scope)
    const { ofConstancias, responders, ...decided } = trustIn(authorities, { isDemo })
    const anchors = [...builtIn.anchors, ...decided.anchors]
    const candidates = [...builtIn.candidates, ...decided.candidates]
    const constancias = {
      anchors: [...ownConstancias.anchors, ...ofConstancias],
      issuers: [...ownConstancias.issuers, ...KNOWN_CONSTANCIA_ISSUERS],
    }
    return {
      version,
      fingerprint: fingerprintOf([...anchors, ...ownConstancias.anchors], candidates),
      policy: {
        anchors,
        candidates,
        timestampAnchors: constancias.anchors,
        constancias,
        responders,
      },
    }
  }

  return {
    builtIn: builtIn.anchors,
    policy: async (now, scope) => ({ ...(await current(scope)).policy, at: now }),
    fingerprint: async (scope) => (await current(scope)).fingerprint,
  }
}

function constanciasIn(folder: ConstanciaFolder | undefined): ConstanciaPolicy {
  if (!folder) return { anchors: [], issuers: [] }
  const { folder: place, issuers, ...trust } = folder
  return { anchors: anchorsFromCertificates(readCertificates(place), trust).anchors, issuers }
}

function fingerprintOf(
  anchors: readonly TrustAnchor[],
  candidates: readonly Certificate[],
): string {
  const hash = createHash('sha256')
  for (const { certificate, revocation, forTesting, ocsp = [], lists = [] } of anchors)
    hash
      .update(certificate.der)
      .update(`${revocation} ${forTesting} ${[...ocsp, ...lists].join(' ')}\n`)
  for (const { der } of candidates) hash.update(der)
  return hash.digest('hex')
}

/**
 * All certificates of a folder or of one file, DER or a bundle of PEM; sorted by name, so that the order is
 * never chance.
 *
 * @throws {Error} es-MX, naming the place that cannot be read or is no certificate
 */
export function readCertificates(place: string): Certificate[] {
  if (!existsSync(place)) return []
  return filesOf(place).flatMap((file) => {
    const bytes = orSay(`No se puede leer ${file}.`, () => new Uint8Array(readFileSync(file)))
    const bundle = allFromPem(bytes, 'CERTIFICATE')
    const encoded = bundle.length > 0 ? bundle : [bytes]
    return orSay(`${file} no es un certificado X.509.`, () => encoded.map(readCertificate))
  })
}

function filesOf(place: string): string[] {
  return orSay(`No se puede leer ${place}.`, () => {
    if (!statSync(place).isDirectory()) return [place]
    const names = readdirSync(place).filter((name) => /\.(?:cer|crt|pem|der)$/i.test(name))
    return names.sort().map((name) => path.join(place, name))
  })
}

function orSay<T>(sentence: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new Error(sentence, { cause: error })
  }
}
