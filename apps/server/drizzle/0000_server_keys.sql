CREATE TABLE "server_keys" (
	"name" text PRIMARY KEY NOT NULL,
	"public_key" text NOT NULL,
	"private_key" text NOT NULL,
	"date_created" timestamp with time zone DEFAULT now() NOT NULL
);
