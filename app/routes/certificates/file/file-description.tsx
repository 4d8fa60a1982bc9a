import { Notice } from '#app/ui/feedback/notice.tsx'
import { Fact, FactList } from '#app/ui/text/fact-list.tsx'
import { Hash } from '#app/ui/text/hash.tsx'
import type { DescribedCertificate, DescribedFile } from '#server/domain/efirma/describe-file.ts'
import { validityText, wordsOfFile } from '#server/words/described-files.ts'

type Props = {
  file: DescribedFile
  /** Of the office, for dates. */
  zone: string
  /** Whether the server has read it. */
  wasSent?: boolean
}

/** What a file is, what it is for, and what a certificate says. */
export function FileDescription({ file, zone, wasSent = false }: Props) {
  const { title, sentences, tone } = wordsOfFile(file)
  const isSecret = file.kind === 'private-key' || file.kind === 'pkcs12'
  return (
    <>
      <Notice tone={tone} title={title}>
        {sentences.join(' ')}
        {isSecret && wasSent && ` ${SENT}`}
      </Notice>
      {file.kind === 'certificate' && <CertificateFacts certificate={file} zone={zone} />}
    </>
  )
}

const SENT = 'El archivo llegó al servidor, que lo borró sin guardarlo: no vuelva a enviarlo.'

function CertificateFacts({
  certificate,
  zone,
}: {
  certificate: DescribedCertificate
  zone: string
}) {
  const { name, rfc, number, issuer } = certificate
  return (
    <FactList>
      <Fact name="Titular">{name}</Fact>
      <Fact name="RFC">{rfc}</Fact>
      <Fact name="Número de certificado">
        <Hash value={number} />
      </Fact>
      <Fact name="Vigencia">{validityText(certificate, zone)}</Fact>
      <Fact name="Dice haberlo emitido">{issuer}</Fact>
    </FactList>
  )
}
