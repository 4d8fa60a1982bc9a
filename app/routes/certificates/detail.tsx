import { redirect } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { readForm } from '#app/http/forms.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { Sheets } from '#app/ui/frame/sheets.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { ButtonLink } from '#app/ui/text/button-link.tsx'
import { Icon } from '#app/ui/text/icon.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { CertificateId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { formatDay } from '#server/domain/time.ts'
import { checkRevocation } from '#server/features/certificates/check-revocation.ts'
import { ReadCertificate, readCertificate } from '#server/features/certificates/read-certificate.ts'
import type { Route } from './+types/detail'
import { CertificateSheet, ChainSheet, HolderSheet, TechnicalSheet } from './certificate-sheets.tsx'
import { certificateView } from './certificate-view.ts'
import { SignedDocuments } from './signed-documents.tsx'

/** The query parameters; an invalid one is ignored. */
const Query = z.object({ behind: ReadCertificate.shape.behind.catch(undefined) })

export const handle = { hydrate: true, label: 'Certificado' }

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData?.view.name ?? 'Certificado'} · Rúbrica` },
]

export async function loader({ params, url, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { behind } = Query.parse(Object.fromEntries(url.searchParams))
  const certificateId = await orErrorPage(idOf(params.id))
  const detail = await orErrorPage(readCertificate(system, actor, { certificateId, behind }))
  return {
    view: certificateView(detail, system.clock.now()),
    signed: detail.signed.map(({ id, signedAt, document }) => ({
      ...{ id, signedAt, document },
      day: formatDay(signedAt, detail.timeZone),
    })),
    next: detail.next,
    isLaterPage: behind !== undefined,
  }
}

/** @throws {Problem} `not-found` */
async function idOf(param: string): Promise<CertificateId> {
  const id = CertificateId.safeParse(param)
  if (!id.success) throw new Problem('not-found', 'no id of a certificate')
  return id.data
}

/** Asks the issuer about the certificate's revocation. */
export async function action({ request, params, context }: Route.ActionArgs) {
  await orErrorPage(readForm(request, context, z.object({})))
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const certificateId = await orErrorPage(idOf(params.id))
  const { status } = await orErrorPage(checkRevocation(system, actor, { certificateId }))
  return redirect(`/dashboard/certificates/${certificateId}`, {
    status: 303,
    headers: { 'Set-Cookie': flash(`certificate-${status}`) },
  })
}

export default function CertificatePage({ loaderData }: Route.ComponentProps) {
  const { view, signed, next, isLaterPage } = loaderData
  const path = `/dashboard/certificates/${view.id}`
  return (
    <>
      <PageHead
        title={view.name}
        lead={<PageLink to="/dashboard/certificates">Volver a Certificados</PageLink>}
        action={
          !view.isReserved && (
            <ButtonLink
              to={`${path}/download`}
              variant="default"
              leftSection={<Icon name="download" />}
            >
              Descargar certificado (.cer)
            </ButtonLink>
          )
        }
      />
      <Sheets>
        <CertificateSheet view={view} />
        <HolderSheet view={view} />
        <ChainSheet view={view} />
        <TechnicalSheet view={view} />
      </Sheets>
      <SignedDocuments path={path} rows={signed} next={next} isLaterPage={isLaterPage} />
    </>
  )
}
