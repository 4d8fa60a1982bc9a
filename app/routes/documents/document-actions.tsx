import { address } from '#app/ui/text/address.ts'
import { ButtonLink } from '#app/ui/text/button-link.tsx'
import { Icon } from '#app/ui/text/icon.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import css from './document-actions.module.css'
import type { DocumentView } from './document-view.ts'

/** The next step of the document, and its files. */
export function DocumentActions({
  document,
  canSign,
  canManage,
  canExport,
  canReplace,
  canCancel,
  canPurge,
}: {
  document: DocumentView
  canSign: boolean
  /** Whether the user may make signing sessions: of a draft, or for one more signature on a complete document. */
  canManage: boolean
  canExport: boolean
  canReplace: boolean
  canCancel: boolean
  canPurge: boolean
}) {
  const { id, state, version } = document
  const isSigned = document.signatures.length > 0
  // A complete document takes a further signature only on purpose, through a session.
  const isOpen = state === 'draft' || state === 'signing'
  const isSignable = canSign && isOpen && !document.isClosedByFile
  const file = (of: number) => `/dashboard/documents/${id}/download/${of}`
  return (
    <div className={css.actions}>
      {isSigned && <PageLink to={`/verify/${id}`}>Verificar</PageLink>}
      {!document.purge && <PageLink to={file(document.original)}>Descargar original</PageLink>}
      {document.hasEvidence && (
        <PageLink to={`/dashboard/documents/${id}/evidence.pdf`}>Hoja de evidencia (PDF)</PageLink>
      )}
      {isSigned && canExport && document.hasEvidence && (
        <PageLink to={`/dashboard/documents/${id}/evidence.zip`}>
          Paquete de evidencia (ZIP)
        </PageLink>
      )}
      {canReplace && (
        <PageLink to={`/dashboard/documents/${id}/replace`}>Reemplazar el archivo</PageLink>
      )}
      {canCancel && (
        <PageLink to={`/dashboard/documents/${id}/cancel`} data-ending>
          Cancelar documento
        </PageLink>
      )}
      {canPurge && (
        <PageLink to={`/dashboard/documents/${id}/purge`} data-ending>
          Eliminar archivo
        </PageLink>
      )}
      {canManage && state === 'signed' && (
        <PageLink to={`/dashboard/documents/${id}/further-signing`}>Pedir otra firma</PageLink>
      )}
      {canManage && state === 'draft' && !document.session && !document.purge && (
        <ButtonLink
          to={address('/dashboard/signing/new', { document: id })}
          variant={isSignable ? 'default' : 'filled'}
          leftSection={<Icon name="people" />}
        >
          Crear sesión de firma
        </ButtonLink>
      )}
      {isSignable && (
        <ButtonLink to={`/dashboard/documents/${id}/sign`} leftSection={<Icon name="sign" />}>
          Firmar
        </ButtonLink>
      )}
      {isSigned && (
        <ButtonLink
          to={file(version)}
          variant={isSignable ? 'default' : 'filled'}
          leftSection={<Icon name="download" />}
        >
          Descargar firmado
        </ButtonLink>
      )}
    </div>
  )
}
