npm install openapi-fetch@0.17.0
npm install --save-dev openapi-typescript@7.13.0
npx openapi-typescript {baseUrl}/openapi.json -o cofre.ts
