import type { ReactNode } from 'react'
import sign from '#app/routes/signing/one/sign.module.css'
import { Notice } from '#app/ui/feedback/notice.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { EmptyState } from '#app/ui/lists/empty-state.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { countText } from '#app/ui/text/count-text.ts'
import { PageLink } from '#app/ui/text/page-link.tsx'
import css from './batch.module.css'
import { BatchList } from './batch-list.tsx'
import type { BatchResult } from './batch-result.ts'
import { BatchUnread } from './batch-unread.tsx'
import type { BatchPageView } from './batch-view.ts'

type Props = { view: BatchPageView; most: number; children: ReactNode }

/** The documents that can be signed now, beside the form that signs them. */
export function BatchFrame({ view, most, children }: Props) {
  const { documents, sessionTitle, result, signer, rfc, back } = view
  const isEmpty = documents.length === 0
  return (
    <div className={isEmpty ? css.only : sign.columns}>
      <div className={css.main}>
        <PageHead
          title="Firmar varios documentos"
          lead={
            <>
              {sessionTitle && `${sessionTitle} · `}
              <PageLink to={back.address}>{back.label}</PageLink>
            </>
          }
        />
        {result && <Result result={result} pages={view.documentPages} />}
        <AfterBatch view={view} isDone={(result?.signed.length ?? 0) > 0} />
        {view.elsewhere > 0 && !isEmpty && (
          <Notice tone="note" isLive={false}>
            {elsewhereText(view.elsewhere)}
          </Notice>
        )}
        {view.unread.length > 0 && (
          <BatchUnread unread={view.unread} moreUnread={view.moreUnread} />
        )}
        {isEmpty && view.unread.length === 0 && (
          <EmptyState
            next={
              view.elsewhere > 0 && (
                <PageLink to="/dashboard/documents">Volver a Documentos</PageLink>
              )
            }
          >
            {view.elsewhere > 0
              ? 'Ninguno de los documentos que eligió espera su firma. Un borrador se firma desde su página o en una sesión de firma.'
              : 'Ningún documento espera su firma en este momento.'}
          </EmptyState>
        )}
        {!isEmpty && <BatchList view={view} most={most} />}
        {view.more > 0 && <p className={css.quiet}>{moreText(view.more)}</p>}
      </div>
      {!isEmpty && (
        <div className={sign.side}>
          <Sheet>
            <p>
              Firma <strong>{signer}</strong> (RFC {rfc})
            </p>
            <p className={css.quiet}>
              A cada documento se agrega solo su firma, en el lugar que tiene para usted. Léalos
              antes de firmar y desmarque los que no quiera firmar ahora.
            </p>
          </Sheet>
          {children}
        </div>
      )}
    </div>
  )
}

/** The result of the last batch. */
function Result({ result, pages }: { result: BatchResult; pages: string }) {
  const { signed, refused } = result
  return (
    <Notice
      tone={refused.length > 0 ? 'wait' : 'good'}
      title={
        signed.length === 1 ? 'Se firmó 1 documento.' : `Se firmaron ${signed.length} documentos.`
      }
    >
      {signed.length > 0 && (
        <p>
          Firmados:{' '}
          {signed.map(({ id, folio }, index) => (
            <span key={id}>
              {index > 0 && ', '}
              <PageLink to={`${pages}/${id}`}>{folio}</PageLink>
            </span>
          ))}
          .
        </p>
      )}
      {refused.length > 0 && (
        <ul className={css.refused}>
          {refused.map(({ id, folio, sentence }) => (
            <li key={id}>
              <PageLink to={`${pages}/${id}`}>{folio}</PageLink> no se firmó: {sentence}
            </li>
          ))}
        </ul>
      )}
    </Notice>
  )
}

/** What follows. The script shows it when the batch has ended. */
function AfterBatch({ view, isDone }: { view: BatchPageView; isDone: boolean }) {
  return (
    <div data-part="after" hidden={!isDone}>
      <Notice tone="note" title="Qué sigue" isLive={false}>
        <ul className={css.refused}>
          {view.after.map(({ address, label }) => (
            <li key={address}>
              <PageLink to={address} reloadDocument>
                {label}
              </PageLink>
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  )
}

const moreText = (count: number) =>
  `${count === 1 ? 'Falta uno más: aparece' : `Faltan ${countText(count)} más: aparecen`} conforme firme los de esta página.`

const elsewhereText = (count: number) =>
  count === 1
    ? 'Uno de los documentos que eligió no espera su firma, y no se muestra.'
    : `${count} de los documentos que eligió no esperan su firma, y no se muestran.`
