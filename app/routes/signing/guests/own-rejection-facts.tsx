import { Fact, FactList } from '#app/ui/text/fact-list.tsx'
import css from './guest.module.css'
import type { OwnRejectionView } from './own-rejection-view.ts'

/** What a guest rejected and when, and what follows. */
export function OwnRejectionFacts({ rejection }: { rejection: OwnRejectionView }) {
  const { office, title, at, reason, proof } = rejection
  return (
    <>
      <FactList>
        <Fact name="Notaría">{office}</Fact>
        <Fact name="Sesión de firma">{title}</Fact>
        <Fact name="Rechazada el">{at}</Fact>
        <Fact name="Motivo">{reason && <span className={css.reason}>{reason}</span>}</Fact>
        <Fact name="Cómo se comprobó">{proof}</Fact>
      </FactList>
      <p>
        La sesión terminó para todos sus firmantes y la notaría ya tiene su motivo. Usted no tiene
        que hacer nada más.
      </p>
      <p className={css.quiet}>
        Su enlace ya no abre los documentos. Si la notaría los corrige y vuelve a pedir su firma, le
        dará otro enlace; si rechazó por error, avísele.
      </p>
    </>
  )
}
