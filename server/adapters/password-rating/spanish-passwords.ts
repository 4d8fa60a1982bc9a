/**
 * Much used passwords of Spanish speakers, Mexico above all, which the international list lacks or may lose in its
 * next version: without accents or spaces, in lower case.
 */
const WORDS = `
  contrasena contrasenas contrasenia micontrasena contrasenasegura contrasenanueva nuevacontrasena otracontrasena
  clave claves miclave clavesecreta claveacceso clavesegura nuevaclave password passwords secreto secreta supersecreto
  acceso accesos entrar entrada ingreso ingresar iniciar sesion usuario usuarios administrador administradora
  administracion admin sistema sistemas servidor computadora ordenador internet windows oficina trabajo empresa
  seguridad seguro segura temporal provisional cambiame cambiar cambio prueba pruebas ejemplo invitado generica
  bienvenido bienvenida bienvenidos bienvenidas welcome hola holahola holamundo buenosdias buenastardes
  buenasnoches gracias porfavor
  teamo teamomucho teamotanto tequiero tequieromucho teextrano teadoro miamor amormio amoreterno amor amores
  micorazon corazon corazones micielo cielo mivida vidamia mireina reina mirey princesa princesas princesita principe
  bonita bonito hermosa hermoso preciosa precioso chiquita chiquito chiquis bebe bebesita nena nenita gorda gordita
  gordo gordito flaca flaquita flaco loquita loquito muneca munequita bombon linda lindo guapa guapo morena morenita
  novio novia esposo esposa familia mifamilia mishijos mihijo mihija hijos mama mami mamita papa papi papito abuela
  abuelita abuelo hermano hermana hermanos amigo amiga amigos amigas amistad
  dios diosesamor diosesgrande diosesfiel diosmio diosteama diosteamo diosmeama graciasadios jesus jesuscristo
  jesusteamo jesusmeama cristo cristorey cristovive viva virgen virgencita virgenmaria virgenmorena
  virgendeguadalupe lavirgendeguadalupe santamaria guadalupana lupita guadalupe morenita sanjudas sanjudastadeo
  sagradocorazon padrenuestro avemaria angeles angelito angelita bendicion bendiciones milagro milagros esperanza
  mexico vivamexico mexicolindo mexicolindoyquerido mexicomexico mexicano mexicana mexicanos aguila azteca aztecas
  tenochtitlan teotihuacan quetzalcoatl revolucion independencia cincodemayo diadelosmuertos
  america aguilas clubamerica chivas chivas1906 guadalajara rayados tigres pumas goya cruzazul maquina toluca pachuca
  necaxa santos laguna monterrey barcelona realmadrid madrid boca bocajuniors riverplate colocolo futbol pelota
  campeon campeones gol messi ronaldo chicharito
  estrella estrellas estrellita luna lunita lunallena sol solecito cielito mar arcoiris mariposa mariposas flor flores
  florecita rosa rosas girasol primavera verano invierno lluvia fuego agua tierra viento libertad felicidad feliz
  alegria sonrisa sonrisas paz suerte dinero exito triunfo victoria fuerza poder verdad vida
  perro perrito perros gato gatito gatitos gatita caballo caballos tigre leon lobo lobos oso osito ositos conejo
  conejito pajaro delfin delfines dragon tortuga pantera serpiente aguila toro vaca pollito patito abeja abejita
  chocolate fresa fresas fresita manzana naranja limon sandia platano cereza cerezas galleta galletas caramelo dulce
  tacos tequila cerveza cafe pan queso tortilla
  rojo azul verde amarillo morado negro negra blanco blanca rosado dorado plata oro diamante
  enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
  lunes martes miercoles jueves viernes sabado domingo navidad feliznavidad felizcumpleanos cumpleanos
  alejandro alejandra alberto alfredo andrea andres antonio arturo beatriz carlos carmen carolina cecilia claudia
  cristina cristian daniel daniela diana diego eduardo elizabeth enrique ernesto fernanda fernando francisco gabriel
  gabriela gerardo gloria gonzalez guillermo gustavo hector hernandez ignacio isabel ivan javier jesus jorge jose
  josefina joseluis juan juancarlos juanita julieta karina karla laura leticia lorena lopez luis luisa manuel manuela
  marcela margarita maria mariana mario marisol martha martin martinez mauricio mercedes miguel miguelangel monica
  natalia norma oscar pablo paola patricia pedro perez rafael ramirez ramon raul rebeca ricardo roberto rocio
  rodrigo rodriguez rosario samuel sanchez sandra santiago sebastian sergio silvia sofia susana teresa valentina
  valeria veronica vicente viviana ximena yolanda
  cabron cabrona pendejo pendeja chingon chingona chingatumadre chingado puta puto putamadre mierda culero verga pinche
  uno dos tres unodostres unodostrescuatro unodostrescuatrocinco cuatro cinco seis siete ocho nueve diez
  nose nolose nosequeponer nosequeescribir nomeacuerdo nomelase olvido olvide loquesea cualquiera cualquiercosa
  abretesesamo notevoyadecir notelodigo adivina adivinala
`

export const SPANISH_PASSWORDS: ReadonlySet<string> = new Set(WORDS.trim().split(/\s+/))
