import { sha256 } from '#server/domain/crypto/sha256.ts'
import { findingsInList } from '#server/domain/revocation/findings-in-lists.ts'
import type { RevocationQuestion, Statement } from '#server/domain/revocation/question.ts'
import { formatInstant, type Instant } from '#server/domain/time.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import type { Chain } from './chain.ts'
import { type ProofSection, pemOf, twoDigits } from './section.ts'

export type ListsToProve = {
  /** DER. */
  lists: readonly Uint8Array[]
  /** Certificates that may have signed a list, beside those of the chains. */
  candidates: readonly Certificate[]
  now: Instant
  zone: string
  /** Of the first section, among all about revocation. */
  firstNumber: number
}

type Link = { certificate: Certificate; issuer: Certificate; parent?: Certificate; chain: Chain }
type Spoken = Link & { der: Uint8Array; statement: Statement }

/**
 * What the lists of authorities say about everyone who signed something, and about the authorities between:
 * of each certificate the newest list that names it, else the newest that covers it.
 */
export function listSections(chains: readonly Chain[], known: ListsToProve): ProofSection[] {
  const lists = eachOnce(known.lists)
  const spoken = linksOf(chains).flatMap((link) => wordAbout(link, { ...known, lists }) ?? [])
  const told = [...new Set(spoken.map(({ der }) => der))]
  return spoken.map((one, index) => {
    const name = `revocacion/lista-${twoDigits(told.indexOf(one.der) + 1)}.crl`
    const section = sectionAbout(known.firstNumber + index, one, name, known)
    // One list may speak about several: it lies in the package once.
    const isFirst = spoken.findIndex(({ der }) => der === one.der) === index
    return isFirst ? { ...section, files: [{ name, bytes: one.der }, ...section.files] } : section
  })
}

/** One list may be in the file and be fetched, too. The same bytes are read once, however many links ask. */
const eachOnce = (lists: readonly Uint8Array[]) => [
  ...new Map(lists.map((der) => [sha256(der), der])).values(),
]

/** Each certificate under its issuer once, as far as the root. */
function linksOf(chains: readonly Chain[]): Link[] {
  const links = chains.flatMap((chain) =>
    chain.path.slice(0, -1).map((certificate, index): Link => {
      const [issuer, parent] = chain.path.slice(index + 1) as [Certificate, ...Certificate[]]
      return { certificate, issuer, chain, ...(parent && { parent }) }
    }),
  )
  return [...new Map(links.map((link) => [sha256(link.certificate.der), link])).values()]
}

function wordAbout(link: Link, { lists, candidates, now }: ListsToProve): Spoken | undefined {
  const spoken = lists
    .flatMap((der) => statementsIn(der, { ...link, candidates, now }))
    .toSorted((a, b) => b.statement.thisUpdate - a.statement.thisUpdate)
  const best = spoken.find(({ statement }) => statement.says.kind === 'revoked') ?? spoken[0]
  return best && { ...link, ...best }
}

type Asked = Pick<RevocationQuestion, 'certificate' | 'issuer' | 'candidates' | 'now'> & {
  parent?: Certificate
}

function statementsIn(der: Uint8Array, { certificate, issuer, parent, candidates, now }: Asked) {
  const evidence = { ocsp: [], crls: [] }
  const question = { certificate, issuer, ...(parent && { parent }), evidence, candidates }
  return findingsInList({ der, source: 'fetched' }, { ...question, at: now, now }).flatMap(
    (statement) => (typeof statement === 'string' ? [] : [{ der, statement }]),
  )
}

function sectionAbout(
  number: number,
  { certificate, issuer, chain, der, statement }: Spoken,
  list: string,
  { now, zone }: ListsToProve,
): ProofSection {
  const stem = `revocacion/${twoDigits(number)}`
  const { says, thisUpdate } = statement
  const isGood = says.kind === 'good'
  const said = isGood
    ? 'no lo nombra: no estaba revocado'
    : `dice que fue revocado el ${formatInstant(says.at, zone)}`
  // Authorities that change keys sign lists with another: openssl does not look for it.
  const isOfIssuer = statementsIn(der, { certificate, issuer, candidates: [], now }).length > 0
  const trust = chain.options
    .replace(/-CAfile \S+/, `-CAfile ${stem}-cadena.pem`)
    .replace(/-attime \d+/, timeOption(statement, chain))
  const verify = `openssl verify -crl_check -CRLfile ${list} ${trust} ${stem}-certificado.pem`
  return {
    title: { about: 'Lista de revocación', of: { kind: 'certificate', name: certificate.name } },
    sentences: [
      `La lista que su autoridad publicó el ${formatInstant(thisUpdate, zone)} ${said}.`,
      ...(isOfIssuer
        ? []
        : ['La firmó con otra clave que la del certificado: eso no se prueba con un comando.']),
    ],
    commands: isOfIssuer
      ? [isGood ? verify : `${verify} 2>&1 | grep -q 'certificate revoked'`]
      : [],
    files: [
      { name: `${stem}-certificado.pem`, bytes: pemOf([certificate]) },
      { name: `${stem}-cadena.pem`, bytes: chain.file.bytes },
    ],
    roots: [chain.root],
  }
}

/** When list and certificates were in force together; else their times are not looked at here. */
function timeOption({ thisUpdate, nextUpdate }: Statement, { path }: Chain): string {
  const from = Math.max(thisUpdate, ...path.map(({ notBefore }) => notBefore))
  const until = Math.min(nextUpdate ?? Infinity, ...path.map(({ notAfter }) => notAfter))
  return from <= until ? `-attime ${Math.ceil(from / 1000)}` : '-no_check_time'
}
