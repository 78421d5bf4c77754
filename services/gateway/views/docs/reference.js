const place = document.getElementById('reference')
SwaggerUIBundle({
  domNode: place,
  url: place.dataset.openapi,
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  defaultModelExpandDepth: 3,
  docExpansion: 'list',
  displayRequestDuration: true,
  persistAuthorization: false,
  validatorUrl: null,
  syntaxHighlight: { theme: 'idea' },
  presets: [SwaggerUIBundle.presets.apis],
  layout: 'BaseLayout',
})
