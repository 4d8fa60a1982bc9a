import { PageLink } from '#app/ui/text/page-link.tsx'

/** The action of a row: to the page where its document is signed. */
export const SignLink = ({
  document: { id, title },
}: {
  document: { id: string; title: string }
}) => (
  <PageLink to={`/dashboard/documents/${id}/sign`} aria-label={`Firmar ${title}`}>
    Firmar
  </PageLink>
)
