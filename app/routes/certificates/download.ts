import { actorContext, systemContext } from '#app/http/context.ts'
import { attachment, orErrorText } from '#app/http/file-answer.ts'
import { CertificateId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { openCertificate } from '#server/features/certificates/open-certificate.ts'
import type { Route } from './+types/download'

/** Downloads a certificate as a `.cer` file, the bytes as they came. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { der, number } = await orErrorText(open())
  return new Response(Buffer.from(der), {
    headers: {
      'Cache-Control': 'no-store',
      'Content-Disposition': attachment(`${number}.cer`),
      'Content-Type': 'application/pkix-cert',
      'X-Robots-Tag': 'noindex',
    },
  })

  async function open() {
    const id = CertificateId.safeParse(params.id)
    if (!id.success) throw new Problem('not-found', 'no id of a certificate')
    return openCertificate(context.get(systemContext), context.get(actorContext), {
      certificateId: id.data,
    })
  }
}
