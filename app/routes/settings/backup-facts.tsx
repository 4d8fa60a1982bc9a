import { Badge } from '#app/ui/feedback/badge.tsx'
import { Fact, FactList } from '#app/ui/text/fact-list.tsx'
import type { BackupView } from './backup-view.ts'
import css from './office.module.css'

/** When the installation was last backed up. The operator of the server makes the backups. */
export function BackupFacts({ view }: { view: BackupView }) {
  const { state, last, content, missing, due } = view
  return (
    <>
      <p className={css.lead}>
        Los hace quien opera el servidor, con “rubrica backup”. Guardan documentos, bitácora y
        llaves en un archivo cifrado.
      </p>
      <div className={css.badges}>
        <Badge tone={state.tone}>{state.word}</Badge>
      </div>
      <FactList>
        <Fact name="Último">{last ?? 'Ninguno todavía'}</Fact>
        <Fact name="Contiene">{content}</Fact>
        <Fact name="Faltaban">
          {missing === null || missing === undefined ? null : `${missing} archivos de documentos`}
        </Fact>
        <Fact name="El siguiente">{due === null ? null : `Antes del ${due}`}</Fact>
      </FactList>
    </>
  )
}
