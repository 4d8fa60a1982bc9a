import { isIdOf } from '#server/domain/revocation/certificate-id.ts'
import type { OcspAnswer, SingleResponse } from '#server/domain/revocation/ocsp-response.ts'
import { ocspResponseIn } from '#server/domain/revocation/revocation-values.ts'
import { formatInstant } from '#server/domain/time.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import type { Chain } from './chain.ts'
import { type ProofSection, pemOf, twoDigits } from './section.ts'

type Answer = { der: Uint8Array; answer: OcspAnswer; single: SingleResponse }

/** What authorities answered about the certificates that were used: the newest good word, or the revocation. */
export function revocationSections(
  chains: readonly Chain[],
  responses: readonly Uint8Array[],
  zone: string,
): ProofSection[] {
  const known = new Set<string>()
  const sections: ProofSection[] = []
  for (const chain of chains) {
    const [certificate, issuer] = chain.path
    if (!certificate || !issuer || known.has(certificate.serial + issuer.serial)) continue
    known.add(certificate.serial + issuer.serial)
    const best = answersAbout(certificate, issuer, responses).at(-1)
    if (best)
      sections.push(
        sectionAbout(sections.length + 1, { certificate, issuer, chain, zone, ...best }),
      )
  }
  return sections
}

/** Those that say good or revoked, the oldest first. */
function answersAbout(
  certificate: Certificate,
  issuer: Certificate,
  responses: readonly Uint8Array[],
): Answer[] {
  return responses
    .flatMap((der) => {
      const answer = ocspResponseIn(der)
      if (answer?.kind !== 'answered') return []
      const single = answer.responses.find(({ id }) => isIdOf(id, certificate, issuer))
      return single && single.status.kind !== 'unknown' ? [{ der, answer, single }] : []
    })
    .toSorted((a, b) => a.answer.producedAt - b.answer.producedAt)
}

type Subject = Answer & {
  certificate: Certificate
  issuer: Certificate
  chain: Chain
  zone: string
}

function sectionAbout(
  number: number,
  { der, answer, single, certificate, issuer, chain, zone }: Subject,
): ProofSection {
  const stem = `revocacion/${twoDigits(number)}`
  const isGood = single.status.kind === 'good'
  const output = `respuesta-${twoDigits(number)}.txt`
  const options = chain.options
    .replace(/-CAfile \S+/, `-CAfile ${stem}-cadena.pem`)
    .replace(/-attime \d+/, `-attime ${Math.ceil(answer.producedAt / 1000)}`)
  return {
    title: { about: 'Revocación', of: { kind: 'certificate', name: certificate.name } },
    sentences: [
      `Su autoridad respondió el ${formatInstant(answer.producedAt, zone)} que el certificado ${isGood ? 'no estaba revocado' : 'estaba revocado'}. Que la respuesta “ya no es reciente” es normal: se conserva como llegó.`,
    ],
    commands: [
      `openssl ocsp -respin ${stem}.ors -issuer ${stem}-emisor.pem -cert ${stem}-certificado.pem ${options} -no_nonce > ${output}`,
      saysStatus(isGood ? 'good' : 'revoked', output),
    ],
    files: [
      { name: `${stem}.ors`, bytes: der },
      { name: `${stem}-certificado.pem`, bytes: pemOf([certificate]) },
      { name: `${stem}-emisor.pem`, bytes: pemOf([issuer]) },
      { name: `${stem}-cadena.pem`, bytes: chain.file.bytes },
    ],
    roots: [chain.root],
  }
}

/**
 * The command that finds the status in what `openssl ocsp` writes: behind the name of the file, and in a line of its own behind a warning
 * once the answer is no longer recent.
 */
export const saysStatus = (status: 'good' | 'revoked', file: string): string =>
  `grep -q -E '(^|: )${status}$' ${file}`
