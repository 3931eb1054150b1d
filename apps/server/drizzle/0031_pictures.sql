CREATE TABLE "pictures" (
	"file" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"content" "bytea" NOT NULL
);
