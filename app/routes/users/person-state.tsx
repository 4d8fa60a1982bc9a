import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Fact, FactList } from '#app/ui/text/fact-list.tsx'
import type { FaultyForm } from './faulty-form.ts'
import { ReasonedAction } from './person-action-form.tsx'
import type { PersonView } from './person-view.ts'

type Props = { view: PersonView; fault: FaultyForm | undefined }

/** The state of the account, who set it and why, and the forms that change it. */
export function PersonState({ view, fault }: Props) {
  const isSuspended = view.state === 'suspended'
  return (
    <div id="estado">
      <Sheet title={isSuspended ? 'Reactivar' : 'Suspender'}>
        {view.stateReason && (
          <FactList>
            <Fact name="Último cambio">
              {view.stateSince}
              {view.stateBy && `, ${view.stateBy}`}
            </Fact>
            <Fact name="Motivo">{view.stateReason}</Fact>
          </FactList>
        )}
        {isSuspended ? (
          <ReasonedAction
            id={view.id}
            intent="reactivate"
            title="Reactivar la cuenta"
            meaning="Podrá entrar de nuevo con la contraseña y la verificación en dos pasos que tenía."
            button="Reactivar"
            fault={fault}
            isOpen
          />
        ) : (
          <ReasonedAction
            id={view.id}
            intent="suspend"
            title="Suspender la cuenta"
            meaning="Sus sesiones se cierran de inmediato y no podrá entrar. Lo que hizo se conserva, y la cuenta se puede reactivar."
            button="Suspender"
            fault={fault}
          />
        )}
      </Sheet>
    </div>
  )
}
