import { formatInstant, type Instant, instantOf } from '#server/domain/time.ts'
import { readTimeStampToken } from '#server/domain/timestamp/time-stamp-token.ts'
import { isForTimeStamping } from '#server/domain/timestamp/verify-time-stamp.ts'
import { MOST_TIMESTAMPS } from '#server/domain/verification/bounded-report.ts'
import type { SignatureReport } from '#server/domain/verification/report.ts'
import { readCertificate } from '#server/domain/x509/certificate.ts'
import { type Chain, chainOver, type Trust } from './chain.ts'
import type { SignatureMaterial } from './material.ts'
import { type Named, type ProofSection, twoDigits } from './section.ts'

export type SignatureSubject = {
  /** Place in the file, from 1. */
  number: number
  material: SignatureMaterial
  report: SignatureReport
}

/** The trust for signatures, and the trust for timestamps. */
export type Trusts = { signing: Trust; stamping: Trust; zone: string }

export type ProvenSection = ProofSection & {
  /** The paths of the certificates that were used; the sections about revocation follow from them. */
  chains: readonly Chain[]
}

/** What proves one signature of the document, with the timestamps over it. */
export function signatureSections(subject: SignatureSubject, trusts: Trusts): ProvenSection[] {
  const { material } = subject
  if (material.kind === 'document-timestamp') return [documentStampSection(subject, trusts)]
  const stamps = material.timestamps
    .slice(0, MOST_TIMESTAMPS)
    .map((token, index) => stampSection(subject, { token, place: index + 1 }, trusts))
  return [signatureSection(subject, trusts), ...stamps]
}

function signatureSection(
  { number, material, report }: SignatureSubject,
  { signing, zone }: Trusts,
): ProvenSection {
  const name = twoDigits(number)
  const at = timeOf(report)
  const signer = material.signer && readCertificate(material.signer)
  const chain =
    signer && at !== undefined
      ? chainOver(signer, signing, at, `firmas/${name}-cadena.pem`)
      : undefined
  const trust = chain ? `${chain.options} -purpose any` : '-noverify'
  return {
    title: { about: `Firma ${number}`, of: { kind: 'signer', signer: report.signer } },
    sentences: [
      ...(at === undefined ? [] : [`Hecha el ${formatInstant(at, zone)}.`]),
      'El primer comando toma del documento los bytes que la firma cubre; el segundo comprueba que la firma es de esos bytes y del certificado.',
      ...(chain
        ? []
        : ['No se conoce a la autoridad que emitió el certificado: eso no se prueba.']),
    ],
    commands: [
      coveredBytes(name, material),
      `openssl cms -verify -binary -inform DER -in firmas/${name}.p7s -content cubierto-${name}.bin ${trust} -out /dev/null`,
    ],
    files: [
      { name: `firmas/${name}.p7s`, bytes: material.cms },
      ...(signer ? [{ name: `firmas/${name}-firmante.cer`, bytes: signer.der }] : []),
      ...(chain ? [chain.file] : []),
    ],
    roots: chain ? [chain.root] : [],
    chains: chain ? [chain] : [],
  }
}

function documentStampSection(
  { number, material }: SignatureSubject,
  { stamping, zone }: Trusts,
): ProvenSection {
  const name = twoDigits(number)
  const data = `cubierto-${name}.bin`
  const file = { name: `firmas/${name}.tst`, bytes: material.cms }
  const { chain, command, time, of } = stampProof(file.name, {
    token: material.cms,
    data,
    chainName: `firmas/${name}-cadena.pem`,
    stamping,
  })
  return {
    title: { about: `Sello de tiempo del documento ${number}`, of },
    sentences: [`Prueba que el documento existía así el ${formatInstant(time, zone)}.`],
    commands: [coveredBytes(name, material), ...command],
    files: [file, ...(chain ? [chain.file] : [])],
    roots: chain ? [chain.root] : [],
    chains: chain ? [chain] : [],
  }
}

function stampSection(
  { number, material }: SignatureSubject,
  { token, place }: { token: Uint8Array; place: number },
  { stamping, zone }: Trusts,
): ProvenSection {
  const name = twoDigits(number)
  const value = `firmas/${name}-valor.bin`
  const file = { name: `sellos/${name}-${place}.tst`, bytes: token }
  const { chain, command, time, of } = stampProof(file.name, {
    token,
    data: value,
    chainName: `sellos/${name}-${place}-cadena.pem`,
    stamping,
  })
  return {
    title: { about: `Sello de tiempo de la firma ${number}`, of },
    sentences: [
      `Prueba que la firma existía el ${formatInstant(time, zone)}.`,
      'El primer comando comprueba que lo sellado es el valor de esa firma; el segundo, el sello.',
    ],
    commands: [
      `openssl asn1parse -inform DER -in firmas/${name}.p7s | grep -q -i "$(od -An -v -tx1 ${value} | tr -d ' \\n')"`,
      ...command,
    ],
    files: [{ name: value, bytes: material.signatureValue }, file, ...(chain ? [chain.file] : [])],
    roots: chain ? [chain.root] : [],
    chains: chain ? [chain] : [],
  }
}

/** What is signed lies on both sides of the signature itself. @see ISO 32000-2:2020, 12.8.1 */
function coveredBytes(
  name: string,
  { byteRange: [, head, tail, rest] }: SignatureMaterial,
): string {
  return `{ head -c ${head} firmado.pdf; tail -c +${tail + 1} firmado.pdf | head -c ${rest}; } > cubierto-${name}.bin`
}

type Stamped = {
  token: Uint8Array
  data: string
  chainName: string
} & Pick<Trusts, 'stamping'>

function stampProof(file: string, { token, data, chainName, stamping }: Stamped) {
  const { info, signedData } = readTimeStampToken(token)
  const time = info.time
  const candidates = [...signedData.certificates, ...stamping.candidates]
  const signer = signedData.certificates.find(isForTimeStamping)
  const chain = signer && chainOver(signer, { ...stamping, candidates }, time, chainName)
  const command = chain
    ? [`openssl ts -verify -data ${data} -in ${file} -token_in ${chain.options}`]
    : []
  const authority = signer ? { name: signer.name, isConfirmed: chain !== undefined } : null
  const of: Named = { kind: 'authority', authority }
  return { chain, command, time, of }
}

const timeOf = ({ provenTime, claimedTime }: SignatureReport): Instant | undefined => {
  const time = claimedTime ?? provenTime
  return time === null ? undefined : instantOf(new Date(time))
}
