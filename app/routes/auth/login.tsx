import { Button, PasswordInput, TextInput } from '@mantine/core'
import '@mantine/core/styles/Button.css'
import '@mantine/core/styles/Input.css'

export default function Login() {
  return (
    <form method="post">
      <TextInput label="Correo electrónico" name="email" />
      <PasswordInput label="Contraseña" name="password" />
      <Button type="submit">Iniciar Sesión</Button>
    </form>
  )
}
