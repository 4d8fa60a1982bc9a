import { formatInstant } from '#server/domain/time.ts'
import { readTimeStampResponse } from '#server/domain/timestamp/time-stamp-response.ts'
import type { ConstanciaReport } from '#server/domain/verification/report.ts'
import { chainOver, type Trust } from './chain.ts'
import type { ProvenSection } from './signature-sections.ts'

/**
 * What proves the constancia over the signed file. Providers have no certificate for timestamping, so that
 * openssl takes it for the signature that it is.
 *
 * @param answer as the provider sent it
 * @param judged what the verdict says of it
 */
export function constanciaSection(
  answer: Uint8Array,
  { authority, vouched, revisionBytes }: ConstanciaReport,
  { anchors, candidates }: Trust,
  zone: string,
): ProvenSection | undefined {
  const response = readTimeStampResponse(answer)
  if (response.kind !== 'granted') return undefined
  const { info, signedData, signer } = response.token
  const [certificate] = signedData.certificates.filter(
    ({ serial }) =>
      signer.identifier.kind === 'issuer-and-serial' && serial === signer.identifier.serial,
  )
  const all = [...signedData.certificates, ...candidates]
  const name = 'constancia/cadena.pem'
  const chain = certificate && chainOver(certificate, { anchors, candidates: all }, info.time, name)
  const [covered, preserved] =
    revisionBytes === undefined
      ? ['firmado.pdf', 'sha256sum firmado.pdf']
      : [
          `los primeros ${revisionBytes} bytes de firmado.pdf, que eran entonces el documento entero: lo que sigue se le agregó después`,
          `head -c ${revisionBytes} firmado.pdf | sha256sum`,
        ]
  return {
    title: {
      about: 'Constancia de conservación (NOM-151)',
      of: { kind: 'provider', provider: { authority, vouched } },
    },
    sentences: [
      `Prueba que el documento firmado existía, byte por byte, el ${formatInstant(info.time, zone)}. Se emitió bajo la política ${info.policy} sobre la huella SHA-256 de ${covered}.`,
      'El primer comando comprueba la firma del prestador; el segundo, que la huella es la del documento.',
      ...(chain ? [] : ['No se conoce la raíz del prestador: eso no se prueba.']),
    ],
    commands: [
      `openssl cms -verify -inform DER -in constancia/constancia.tst ${chain ? `${chain.options} -purpose any` : '-noverify'} -out constancia.der`,
      `openssl asn1parse -inform DER -in constancia.der | grep -q -i "$(${preserved} | cut -c 1-64)"`,
    ],
    files: [
      { name: 'constancia/constancia.asn1', bytes: answer },
      { name: 'constancia/constancia.tst', bytes: response.tokenBytes },
      ...(chain ? [chain.file] : []),
    ],
    roots: chain ? [chain.root] : [],
    chains: chain ? [chain] : [],
  }
}
