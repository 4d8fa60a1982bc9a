import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Fact, FactList } from '#app/ui/text/fact-list.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import css from './document-facts.module.css'
import type { DocumentView } from './document-view.ts'
import type { NumberView } from './numbers/number-view.ts'

type Props = { document: DocumentView; number: NumberView; canDescribe: boolean }

/** Renders nothing if there is no instrument and the user may not enter one. */
export function InstrumentSheet({ document: { id, instrument }, number, canDescribe }: Props) {
  const isEmpty = instrument.length === 0
  if (isEmpty && !canDescribe) return null
  const verb = isEmpty ? 'Agregar datos del instrumento' : 'Cambiar datos del instrumento'
  const change = canDescribe && (
    <PageLink to={`/dashboard/documents/${id}/edit#instrumento`}>{verb}</PageLink>
  )
  return (
    <Sheet title="Instrumento" aside={change}>
      {isEmpty && (
        <p className={css.none}>
          No se anotó ningún instrumento.{' '}
          <PageLink to={`/dashboard/documents/${id}/number`}>Tomar el siguiente número</PageLink>
        </p>
      )}
      <FactList>
        {instrument.map(({ name, value }) => (
          <Fact key={name} name={name}>
            {value}
          </Fact>
        ))}
        <Fact name="En el registro">
          {number && (number.to ? <PageLink to={number.to}>{number.text}</PageLink> : number.text)}
        </Fact>
      </FactList>
    </Sheet>
  )
}
