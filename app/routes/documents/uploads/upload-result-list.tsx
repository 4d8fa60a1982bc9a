import { Notice } from '#app/ui/feedback/notice.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Item, ItemList } from '#app/ui/lists/item-list.tsx'
import { ButtonLink } from '#app/ui/text/button-link.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import type { UploadResult } from '#app/ui/upload/upload-answer.ts'
import css from './upload-result-list.module.css'

/** Lists which uploaded files were stored and which were refused, and the next step for the stored ones. */
export function UploadResultList({ stored, refused, isCutShort }: UploadResult) {
  const drafts = stored.filter(({ state }) => state === 'draft')
  return (
    <div className={css.sheets}>
      <Notice tone={refused.length > 0 || isCutShort ? 'bad' : 'good'}>
        {[storedSentence(stored.length), refusedSentence(refused.length), isCutShort && CUT_SHORT]
          .filter(Boolean)
          .join(' ')}
      </Notice>
      {refused.length > 0 && (
        <Sheet title="No se subieron">
          <ItemList>
            {refused.map(({ place, name, sentence }) => (
              <Item key={place} icon="cross" name={name}>
                <p>{sentence}</p>
              </Item>
            ))}
          </ItemList>
        </Sheet>
      )}
      {stored.length > 0 && (
        <Sheet title="Quedaron guardados">
          <ItemList>
            {stored.map(({ id, folio, title, isShortened }) => (
              <Item
                key={id}
                icon="check"
                name={title}
                action={
                  <PageLink to={`/dashboard/documents/${id}`} aria-label={`Ver ${title}`}>
                    Ver
                  </PageLink>
                }
              >
                <p>Folio {folio}</p>
                {isShortened && <p>{SHORTENED}</p>}
              </Item>
            ))}
          </ItemList>
          {drafts.length > 0 && (
            <ButtonLink to={`/dashboard/signing/new?${marking(drafts)}`} variant="default">
              Crear sesión con estos
            </ButtonLink>
          )}
        </Sheet>
      )}
    </div>
  )
}

const SHORTENED =
  'El título no cabía entero y se acortó. Si necesita otro, retire este borrador y súbalo solo, con su título.'

const CUT_SHORT =
  'Lo demás llegó incompleto o dañado: suba de nuevo los archivos que no estén en la lista; los que ya están no se duplican.'

function storedSentence(count: number): string {
  if (count === 0) return 'No se guardó ningún documento.'
  return count === 1 ? 'Quedó guardado 1 documento.' : `Quedaron guardados ${count} documentos.`
}

function refusedSentence(count: number): string {
  if (count === 0) return ''
  return count === 1 ? '1 archivo no se subió.' : `${count} archivos no se subieron.`
}

const marking = (documents: readonly { id: string }[]) =>
  new URLSearchParams(documents.map(({ id }) => ['document', id])).toString()
