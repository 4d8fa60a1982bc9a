import '@mantine/core/styles/UnstyledButton.css'
import '@mantine/core/styles/Button.css'
import { Button } from '@mantine/core'
import { useCan } from '#app/ui/forms/use-can.ts'
import { Icon } from '#app/ui/text/icon.tsx'

/** Prints the page. Without scripts the browser's own menu does. */
export function PrintButton() {
  const canPrint = useCan(() => true)
  if (!canPrint) return null
  return (
    <Button type="button" leftSection={<Icon name="print" />} onClick={() => window.print()}>
      Imprimir
    </Button>
  )
}
