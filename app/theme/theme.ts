import { createTheme } from '@mantine/core'

/** Names only: every value stands in theme.css, so that no page carries generated styles. */
export const theme = createTheme({ primaryColor: 'green', primaryShade: { light: 7, dark: 6 } })
