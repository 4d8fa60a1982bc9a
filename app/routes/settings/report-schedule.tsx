import { reportSchedules } from '#server/words/reports.ts'
import type { Route } from './+types/report-schedule'
import { decidedPolicy, decidePolicy } from './decide-policy.ts'
import { PolicyPage } from './policy-page.tsx'

export const handle = { hydrate: true, label: 'Reportes de cada mes' }

export const meta: Route.MetaFunction = () => [{ title: 'Reportes de cada mes · Rúbrica' }]

export const loader = async (args: Route.LoaderArgs) => ({
  policy: await decidedPolicy(args, 'reportSchedule'),
})

export const action = (args: Route.ActionArgs) =>
  decidePolicy(args, 'reportSchedule', {
    missing: 'Elija si los reportes se hacen cada mes.',
    done: 'policy-changed',
  })

export default function ReportSchedulePage({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <PolicyPage
      title="Reportes de cada mes"
      lead="Al empezar un mes se hacen los reportes del anterior como archivos de Excel: índice de instrumentos, documentos, actos, tiempos, actividad, accesos y constancias. Esperan siete días en Archivos de reportes, y un correo sin datos de clientes avisa a los administradores cuando están listos. Si los activa a mitad de mes, los del mes pasado se hacen en unos minutos."
      name="reportSchedule"
      label="Cuándo se hacen"
      choices={reportSchedules}
      policy={loaderData.policy}
      refused={actionData}
    />
  )
}
