import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Fact, FactList } from '#app/ui/text/fact-list.tsx'
import { Hash } from '#app/ui/text/hash.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { Time } from '#app/ui/text/time.tsx'
import type { Instant } from '#server/domain/time.ts'
import css from './checkpoint-sheet.module.css'

export type ShownCheckpoint = {
  /** Absent before the first checkpoint. */
  newest: { size: string; root: string; at: Instant; when: string } | undefined
  verifierKey: string
}

/** The latest signed checkpoint of the log, to be stored elsewhere. */
export function CheckpointSheet({ newest, verifierKey }: ShownCheckpoint) {
  return (
    <div className={css.checkpoint}>
      <Sheet title="Punto de control firmado">
        <p className={css.lead}>
          {newest
            ? 'Firma cuántos eventos tiene la bitácora y cuáles son. Guarde una copia fuera de la notaría: con ella se descubre si después se cambió o se borró algo.'
            : 'Todavía no se ha firmado ninguno: se firma solo, unos segundos después del primer evento.'}
        </p>
        <FactList>
          {newest && (
            <>
              <Fact name="Eventos">{newest.size}</Fact>
              <Fact name="Raíz">
                <Hash value={newest.root} />
              </Fact>
              <Fact name="Firmado">
                <Time at={newest.at}>{newest.when}</Time>
              </Fact>
            </>
          )}
          <Fact name="Clave con que se comprueba">
            <code className={css.key}>{verifierKey}</code>
          </Fact>
          {newest && (
            <Fact name="Archivo">
              <PageLink to="/dashboard/audit/punto-de-control.txt" reloadDocument>
                Descargar el punto de control
              </PageLink>
            </Fact>
          )}
        </FactList>
      </Sheet>
    </div>
  )
}
